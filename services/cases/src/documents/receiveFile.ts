import { FileRefused, type NewFile } from "@care/domain/cases"
import { Effect } from "effect"
import { decideContentType } from "./contentTypes.ts"
import { decodeBase64 } from "./decodeBase64.ts"

/** 10 MiB. */
export const maxFileBytes = 10 * 1024 * 1024

export const maxFilesPerRequest = 20

/** A file whose size and type were checked. */
export interface ReceivedFile {
  readonly fileName: string
  readonly contentType: string
  readonly bytes: Buffer
}

/** Checks the size and the type of a file. `path` is its place in the body. */
export const checkFile = Effect.fnUntraced(function* (
  path: string,
  file: { readonly fileName: string; readonly declaredType: string | undefined; readonly bytes: Buffer }
): Effect.fn.Return<ReceivedFile, FileRefused> {
  const { bytes, declaredType, fileName } = file
  if (bytes.length > maxFileBytes) return yield* new FileRefused({ path, reason: "must have at most 10 MiB" })
  const contentType = yield* decideContentType(bytes, declaredType).pipe(
    Effect.mapError(({ reason }) => new FileRefused({ path, reason }))
  )
  return { fileName, contentType, bytes }
})

/** Decodes and checks a file in base64. `path` is the place of its content in the body. */
export const receiveFile = Effect.fnUntraced(function* (
  path: string,
  { content, contentType, fileName }: NewFile
): Effect.fn.Return<ReceivedFile, FileRefused> {
  const bytes = yield* decodeBase64(content).pipe(Effect.mapError(({ reason }) => new FileRefused({ path, reason })))
  return yield* checkFile(path, { fileName, declaredType: contentType ?? undefined, bytes })
})
