import { codeLike } from "../http/Text.ts"

/** A one-time code. */
export const SixDigits = codeLike(/^\d{6}$/u, "must be 6 digits")
