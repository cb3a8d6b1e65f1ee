import { MIMEType } from "node:util"

// What clients name when nobody told them what the body is: fetch the first, curl the second.
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
 * True for a content type whose body is read as JSON: none at all, JSON by any of its names, and what clients send when
 * they were told nothing; in UTF-8. False for a type that names something else, and for what is no content type.
 */
export const isJsonType = (contentType: string | undefined): boolean => {
  if (contentType === undefined || contentType.trim() === "" || contentType === "application/json") return true
  const type = parsed(contentType)
  return type !== undefined && isJson(type) && isUtf8(type)
}
