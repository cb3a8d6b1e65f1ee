import { FileRefused, type NewFile } from "@care/domain/cases"
import { Effect } from "effect"
import { decideContentType } from "./contentTypes.ts"
import { decodeBase64 } from "./decodeBase64.ts"

/** How many bytes a file may have: 10 MiB. */
export const largestFileBytes = 10 * 1024 * 1024

/** How many files one request may bring to a case. */
export const mostFilesPerRequest = 20

/** A file that was checked: its bytes are of the type that they are said to be, and not too many. */
export interface ReceivedFile {
  readonly fileName: string
  readonly contentType: string
  readonly bytes: Buffer
}

/** Checks the bytes of a file. `path` is where the file was in the body. */
export const checkFile = Effect.fnUntraced(function* (
  path: string,
  file: { readonly fileName: string; readonly declaredType: string | undefined; readonly bytes: Buffer }
): Effect.fn.Return<ReceivedFile, FileRefused> {
  const { bytes, declaredType, fileName } = file
  if (bytes.length > largestFileBytes) return yield* new FileRefused({ path, reason: "must have at most 10 MiB" })
  const contentType = yield* decideContentType(bytes, declaredType).pipe(
    Effect.mapError(({ reason }) => new FileRefused({ path, reason }))
  )
  return { fileName, contentType, bytes }
})

/** Decodes and checks a file that came in base64. `path` is where its content was in the body. */
export const receiveFile = Effect.fnUntraced(function* (
  path: string,
  { content, contentType, fileName }: NewFile
): Effect.fn.Return<ReceivedFile, FileRefused> {
  const bytes = yield* decodeBase64(content).pipe(Effect.mapError(({ reason }) => new FileRefused({ path, reason })))
  return yield* checkFile(path, { fileName, declaredType: contentType ?? undefined, bytes })
})
