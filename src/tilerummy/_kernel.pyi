"""The compiled kernel of tilerummy."""



def version() -> str:
    """The version of tilerummy that this kernel was built from."""

def build_profile() -> str:
    """
    How this kernel was built: release, debug or sanitize; only release is worth timing.
    """
