import { createHmac, timingSafeEqual } from "node:crypto"

const toleranceSeconds = 180

const hashOf = (secret: string, text: string): Buffer => createHmac("sha256", secret).update(text).digest()

/**
 * Whether the scheduling provider signed a body, as it came, by a secret: `t=<seconds>,v1=<hex of HMAC-SHA256 of "t.body">`, not
 * more than 3 minutes from now (in seconds). One that has several hashes is signed if one of them fits.
 */
export const hasSigned = (secret: string, body: string, signature: string, nowSeconds: number): boolean => {
  const parts = signature.split(",").map((part) => part.trim().split("="))
  const time = parts.find(([name]) => name === "t")?.[1] ?? ""
  if (!/^\d{1,12}$/.test(time) || Math.abs(nowSeconds - Number(time)) > toleranceSeconds) return false
  const expected = hashOf(secret, `${time}.${body}`)
  return parts.some(([name, hex = ""]) => {
    const given = Buffer.from(hex, "hex")
    return name === "v1" && given.length === expected.length && timingSafeEqual(given, expected)
  })
}
