import { createHash } from "node:crypto"

/** A UUID that is the same for the same text: version 8 of RFC 9562, of our own making. */
export const uuidOf = (text: string): string =>
  createHash("sha256")
    .update(text)
    .digest("hex")
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5")
