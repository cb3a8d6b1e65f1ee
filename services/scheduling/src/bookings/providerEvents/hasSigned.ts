import { createHmac, timingSafeEqual } from "node:crypto"

const toleranceSeconds = 180

const hashOf = (secret: string, text: string): Buffer => createHmac("sha256", secret).update(text).digest()

/**
 * Returns whether a signature of the scheduling provider is valid for a raw body: `t=<seconds>,v1=<hex of HMAC-SHA256 of "t.body">`, at
 * most 3 minutes from now (in seconds). Of several hashes one must match.
 */
export const hasSigned = (secret: string, body: string, signature: string, nowSeconds: number): boolean => {
  const parts = signature.split(",").map((part) => part.trim().split("="))
  const time = parts.find(([name]) => name === "t")?.[1] ?? ""
  if (!/^\d{1,12}$/.test(time) || Math.abs(nowSeconds - Number(time)) > toleranceSeconds) return false
  const expected = hashOf(secret, `${time}.${body}`)
  return parts.some(([name, hex = ""]) => {
    const hash = Buffer.from(hex, "hex")
    return name === "v1" && hash.length === expected.length && timingSafeEqual(hash, expected)
  })
}
