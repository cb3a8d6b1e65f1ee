import { join } from "node:path"

/** Where `pnpm build` writes. */
export const folder = join(import.meta.dirname, "..", "..", "..", "dist")
