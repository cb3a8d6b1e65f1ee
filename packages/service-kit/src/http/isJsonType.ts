import { MIMEType } from "node:util"

// The default types of clients: the first of fetch, the second of curl.
const unsaid = new Set(["text/plain", "application/x-www-form-urlencoded"])

const isJson = ({ essence }: MIMEType): boolean =>
  essence === "application/json" ||
  essence === "text/json" ||
  /^application\/.+\+json$/.test(essence) ||
  unsaid.has(essence)

const isUtf8 = ({ params }: MIMEType): boolean => /^(utf-?8|us-ascii)$/i.test(params.get("charset") ?? "utf-8")

const parsed = (contentType: string): MIMEType | undefined => {
  try {
    return new MIMEType(contentType)
  } catch {
    return undefined
  }
}

/**
 * Whether a body with a content type is read as JSON: no type, any name of JSON, or a client's default type, in UTF-8. False for other
 * types, and for text that is no content type.
 */
export const isJsonType = (contentType: string | undefined): boolean => {
  if (contentType === undefined || contentType.trim() === "" || contentType === "application/json") return true
  const type = parsed(contentType)
  return type !== undefined && isJson(type) && isUtf8(type)
}
