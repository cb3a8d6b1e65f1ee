import { createHash } from "node:crypto"

/** Returns a UUID that is derived from a text by SHA-256 (version 8 of RFC 9562). */
export const uuidOf = (text: string): string =>
  createHash("sha256")
    .update(text)
    .digest("hex")
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5")
