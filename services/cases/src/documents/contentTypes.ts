import { isUtf8 } from "node:buffer"
import { Data, Effect } from "effect"
import { fileTypeFromBuffer } from "file-type"

/** The content has no accepted type, or another type than declared. `reason` quotes neither. */
export class ContentTypeRefused extends Data.TaggedError("ContentTypeRefused")<{ readonly reason: string }> {}

const word = "application/msword"
const excel = "application/vnd.ms-excel"

const aliases: ReadonlyMap<string, string> = new Map([
  ["image/jpg", "image/jpeg"],
  ["image/pjpeg", "image/jpeg"],
  ["image/x-png", "image/png"],
  ["image/heic-sequence", "image/heic"],
  ["image/heif-sequence", "image/heif"],
  ["text/rtf", "application/rtf"],
  ["application/x-pdf", "application/pdf"],
  ["audio/mp3", "audio/mpeg"],
  ["audio/x-wav", "audio/wav"],
  ["audio/wave", "audio/wav"],
  ["audio/vnd.wave", "audio/wav"],
  ["audio/x-m4a", "audio/mp4"],
  ["video/x-m4v", "video/mp4"]
])

const canonical = (type: string): string => {
  const essence = (type.split(";", 1)[0] ?? "").trim().toLowerCase()
  return aliases.get(essence) ?? essence
}

// The types that a sniffed type may be declared as, the likeliest first. The brands of HEIF and MP4 do not distinguish their kinds.
const acceptedTypes = new Map<string, ReadonlyArray<string>>([
  ...[
    "application/pdf",
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/tiff",
    "application/rtf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "video/quicktime",
    "audio/mpeg",
    "audio/wav"
  ].map((type): [string, ReadonlyArray<string>] => [type, [type]]),
  ["image/apng", ["image/png"]],
  ["image/heic", ["image/heic", "image/heif"]],
  ["image/heif", ["image/heif", "image/heic"]],
  ["video/mp4", ["video/mp4", "audio/mp4"]],
  ["audio/mp4", ["audio/mp4", "video/mp4"]]
])

const textTypes = ["text/plain", "text/csv", "application/json"]

// White space in the sense of trimStart includes the byte order mark.
const isText = (bytes: Buffer): boolean => {
  if (bytes.includes(0) || !isUtf8(bytes)) return false
  const start = bytes.toString().trimStart()
  return !start.startsWith("<") && !start.startsWith("#!")
}

// DOC and XLS share their container with installers and messages. Each has a stream that the others lack.
const compoundTypes = (bytes: Buffer): ReadonlyArray<string> =>
  (
    [
      ["WordDocument\0", word],
      ["Workbook\0", excel],
      ["Book\0", excel]
    ] as const
  ).flatMap(([stream, type]) => (bytes.includes(stream, 0, "utf16le") ? [type] : []))

// Text that begins with `BM`, `FORM` or `G` is detected as one of these, none of which is accepted.
const textMistakenFor = new Set(["image/bmp", "audio/aiff", "video/mp2t"])

const possibleTypes = (bytes: Buffer, sniffed: string | undefined): ReadonlyArray<string> => {
  if (sniffed === undefined || textMistakenFor.has(sniffed)) return isText(bytes) ? textTypes : []
  if (sniffed === "application/x-cfb") return compoundTypes(bytes)
  return acceptedTypes.get(canonical(sniffed)) ?? []
}

const notAccepted = () => new ContentTypeRefused({ reason: "files of this type are not accepted" })
const notAsDeclared = () => new ContentTypeRefused({ reason: "the content is not of the declared type" })

/**
 * Returns the content type of a file from its bytes and its declared type, if any: PDF, common images, office documents, audio, video or
 * text. Refuses other types, and bytes that contradict the declared type.
 */
export const decideContentType = Effect.fn("decideContentType")(function* (
  bytes: Buffer,
  declared: string | undefined
): Effect.fn.Return<string, ContentTypeRefused> {
  const sniffed = yield* Effect.tryPromise({
    try: () => fileTypeFromBuffer(bytes),
    catch: notAccepted
  })
  const possible = possibleTypes(bytes, sniffed?.mime)
  const [likeliest] = possible
  if (likeliest === undefined) return yield* notAccepted()
  const type = canonical(declared ?? "")
  if (type === "" || type === "application/octet-stream") return likeliest
  return possible.includes(type) ? type : yield* notAsDeclared()
})
