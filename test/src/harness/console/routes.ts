import { readFileSync } from "node:fs"

const router = readFileSync(new URL("../../../../services/console/src/router.tsx", import.meta.url), "utf8")

/** The paths of all screens of the console, from its router. */
export const routes: ReadonlyArray<string> = [...router.matchAll(/^\s*path: "([^"]+)"/gm)].map(([, path = ""]) => path)
