// The door between Python and the kernel: conversions only, no logic.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

NB_MODULE(_kernel, m) {
    m.doc() = "The compiled kernel of tilerummy.";
    m.def("version", [] { return TILERUMMY_VERSION; }, "The version of tilerummy that this kernel was built from.");
    m.def("build_profile", [] { return TILERUMMY_PROFILE; },
          "How this kernel was built: release, debug or sanitize; only release is worth timing.");
}
