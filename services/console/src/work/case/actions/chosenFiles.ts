import type { NewFile } from "@care/domain/cases"
import * as Base64 from "effect/encoding/Base64"

const maxFiles = 20
const maxBytes = 10 * 1024 * 1024

/** Returns why files cannot be sent with a comment, or undefined. */
export const mistakeInFiles = (files: ReadonlyArray<File>): string | undefined => {
  if (files.length > maxFiles) return `At most ${maxFiles} files are possible.`
  const large = files.find(({ size }) => size > maxBytes)
  return large === undefined ? undefined : `${large.name} is larger than 10 MiB.`
}

/** Returns files as a request has them. */
export const filesOf = (files: ReadonlyArray<File>): Promise<ReadonlyArray<NewFile>> =>
  Promise.all(
    files.map(async (file) => ({
      fileName: file.name,
      ...(file.type !== "" && { contentType: file.type }),
      content: Base64.encode(new Uint8Array(await file.arrayBuffer()))
    }))
  )
