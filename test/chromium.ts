import { existsSync } from "node:fs"

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** Returns the Chromium of this machine that tests of the console drive, or undefined if there is none. */
export const chromiumPath = (): string | undefined => places.find((path) => existsSync(path))
