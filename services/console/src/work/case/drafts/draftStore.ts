import { Result } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Result.getOrThrow(Base64Url.decode(text)))

export interface DraftStore {
  /** Returns the draft, or undefined if there is none that the key opens. */
  readonly read: () => Promise<string | undefined>
  /** Writes a text, or removes the draft. Writes of a draft take effect one after the other. Where a newer text has no place, the older one stays. */
  readonly write: (text: string | undefined) => Promise<void>
}

// A browser without a key, or on an insecure page, keeps drafts in memory only.
const nowhere: DraftStore = { read: () => Promise.resolve(undefined), write: () => Promise.resolve() }

const importKeys = async (draftKey: string) => {
  const raw = bytesOf(draftKey)
  const [cipher, names] = await Promise.all([
    crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]),
    crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  ])
  return { cipher, names }
}

/**
 * Returns where a draft is kept: encrypted, in this tab alone, under a name that tells nothing and that no other key makes. The name is
 * authenticated with the text, so that a draft cannot be moved to another case.
 */
export const draftStoreOf = (draftKey: string | null, subject: string): DraftStore => {
  if (draftKey === null || !isSecureContext) return nowhere
  const opened = importKeys(draftKey).then(async ({ cipher, names }) => {
    const hash = await crypto.subtle.sign("HMAC", names, encoder.encode(`draft ${subject}`))
    return { cipher, name: Base64Url.encode(new Uint8Array(hash)) }
  })
  const options = (iv: Uint8Array<ArrayBuffer>, name: string) => ({
    name: "AES-GCM",
    iv,
    additionalData: encoder.encode(name)
  })
  let last: Promise<void> = Promise.resolve()
  const read = async () => {
    const { cipher, name } = await opened
    const stored = sessionStorage.getItem(name)
    if (stored === null) return undefined
    const [iv = "", sealed = ""] = stored.split(".")
    return decoder.decode(await crypto.subtle.decrypt(options(bytesOf(iv), name), cipher, bytesOf(sealed)))
  }
  const write = async (text: string | undefined) => {
    const { cipher, name } = await opened
    if (text === undefined) return sessionStorage.removeItem(name)
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const sealed = new Uint8Array(await crypto.subtle.encrypt(options(iv, name), cipher, encoder.encode(text)))
    sessionStorage.setItem(name, `${Base64Url.encode(iv)}.${Base64Url.encode(sealed)}`)
  }
  return {
    read: () => read().catch(() => undefined),
    write: (text) => {
      last = last.then(() => write(text)).catch(() => {})
      return last
    }
  }
}
