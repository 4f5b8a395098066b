"""Draw the page's icons as pictures, for devices that want no SVG: all from web/public/icon.svg."""

from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

PUBLIC: Final = Path(__file__).parent.parent / "web" / "public"
CHROMIUM: Final = "/usr/bin/chromium"
CORNERS: Final = 'rx="116"'
TURN: Final = "rotate(-6 256 256)"

# How many pixels wide, and whether the device cuts the corners itself.
PICTURES: Final = {
    "favicon-32.png": (32, False),
    "apple-touch-icon.png": (180, True),
    "icon-192.png": (192, False),
    "icon-512.png": (512, False),
    "icon-maskable-512.png": (512, True),
}


def main() -> None:
    """Write every picture anew."""
    drawing = (PUBLIC / "icon.svg").read_text("utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        for name, (size, square) in PICTURES.items():
            page.set_viewport_size({"width": size, "height": size})
            smaller = drawing.replace(CORNERS, "").replace(TURN, f"translate(46 46) scale(.82) {TURN}")
            drawn = smaller if square else drawing
            page.set_content(f"<body style='margin:0'><div style='width:{size}px;height:{size}px'>{drawn}</div>")
            page.screenshot(path=PUBLIC / name, omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
