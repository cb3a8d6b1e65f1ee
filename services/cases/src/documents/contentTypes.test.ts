import { crc32 } from "node:zlib"
import { fileTypes } from "@care/domain/cases"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { decideContentType } from "./contentTypes.ts"

const bytes = (...parts: ReadonlyArray<string | ReadonlyArray<number>>): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))))

const uint32 = (value: number): ReadonlyArray<number> => {
  const four = Buffer.alloc(4)
  four.writeUInt32LE(value)
  return [...four]
}

const zipEntry = (name: string, content: string): Buffer => {
  const length = uint32(content.length)
  const head = ["PK\x03\x04", [20, 0, 0, 0, 0, 0, 0, 0, 0, 0], uint32(crc32(content)), length, length] as const
  return bytes(...head, [name.length, 0, 0, 0], name, content)
}

const openXml = (main: string): Buffer =>
  zipEntry("[Content_Types].xml", `<Types><Override ContentType="application/vnd.${main}.main+xml"/></Types>`)

const compound = (...streams: ReadonlyArray<string>): Buffer =>
  Buffer.concat([
    bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    Buffer.alloc(504),
    ...streams.map((name) => Buffer.from(`${name}\0`, "utf16le"))
  ])

const isoMedia = (brand: string): Buffer => bytes([0, 0, 0, 16], "ftyp", brand, [0, 0, 0, 0])

const pdf = bytes("%PDF-1.7\n")
const png = bytes([0x89], "PNG\r\n", [0x1a, 0x0a, 0, 0, 0, 13], "IHDR", Array(17).fill(0), [0, 0, 0, 0], "IDAT")
const jpeg = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 16], "JFIF", [0])
const exe = bytes("MZ", [0x90, 0, 3, 0, 0, 0, 4, 0])
const docx = openXml("openxmlformats-officedocument.wordprocessingml.document")
const xlsx = openXml("openxmlformats-officedocument.spreadsheetml.sheet")
const tiff = bytes("II", [42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0])
const docxType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
const xlsxType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

const accepted: ReadonlyArray<readonly [content: Buffer, declared: string | undefined, type: string]> = [
  [pdf, "application/pdf", "application/pdf"],
  [pdf, undefined, "application/pdf"],
  [pdf, " ", "application/pdf"],
  [png, "image/png", "image/png"],
  [jpeg, "image/jpg", "image/jpeg"],
  [jpeg, "IMAGE/JPEG; quality=high", "image/jpeg"],
  [bytes("GIF89a"), "image/gif", "image/gif"],
  [bytes("RIFF", [0, 0, 0, 0], "WEBPVP8 "), "image/webp", "image/webp"],
  [bytes("RIFF", [0, 0, 0, 0], "WAVEfmt "), "audio/x-wav", "audio/wav"],
  [isoMedia("heic"), "image/heic", "image/heic"],
  [isoMedia("mif1"), "image/heic", "image/heic"],
  [isoMedia("isom"), "video/mp4", "video/mp4"],
  [isoMedia("isom"), "audio/mp4", "audio/mp4"],
  [isoMedia("M4A "), undefined, "audio/mp4"],
  [isoMedia("qt  "), "video/quicktime", "video/quicktime"],
  [bytes([0xff, 0xfb, 0x90, 0x64]), "audio/mpeg", "audio/mpeg"],
  [tiff, "image/tiff", "image/tiff"],
  [bytes("{\\rtf1 text}"), "text/rtf", "application/rtf"],
  [docx, docxType, docxType],
  [docx, undefined, docxType],
  [xlsx, xlsxType, xlsxType],
  [compound("WordDocument"), "application/msword", "application/msword"],
  [compound("Workbook"), undefined, "application/vnd.ms-excel"],
  [compound("WordDocument", "Workbook"), "application/vnd.ms-excel", "application/vnd.ms-excel"],
  [Buffer.from("Grüße"), "text/plain; charset=utf-8", "text/plain"],
  [Buffer.from("\uFEFFa,b\n1,2"), "text/csv", "text/csv"],
  [Buffer.from('{"a":1}'), "application/json", "application/json"],
  [Buffer.from("just text, 1 < 2"), undefined, "text/plain"],
  [Buffer.alloc(0), undefined, "text/plain"]
]

const html = Buffer.from("<!doctype html><script>alert(1)</script>")
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')

const refused: ReadonlyArray<readonly [what: string, content: Buffer, declared: string | undefined]> = [
  ["a JPEG declared as PNG", jpeg, "image/png"],
  ["a PDF declared as text", pdf, "text/plain"],
  ["text declared as PDF", Buffer.from("text"), "application/pdf"],
  ["text declared as JavaScript", Buffer.from("alert(1)"), "text/javascript"],
  ["an EXE declared as PDF", exe, "application/pdf"],
  ["an EXE declared as what it is", exe, "application/x-msdownload"],
  ["an ELF", bytes([0x7f], "ELF", [2, 1, 1, 0]), undefined],
  ["an installer declared as Word", compound("Installer"), "application/msword"],
  ["HTML declared as text", html, "text/plain"],
  ["HTML declared as what it is", html, "text/html"],
  ["HTML after white space and a byte order mark", Buffer.from(`\uFEFF \r\n\t${html}`), "text/csv"],
  ["HTML after white space before a byte order mark", Buffer.from(`\n\uFEFF${html}`), undefined],
  ["an SVG", svg, undefined],
  ["an SVG declared as what it is", svg, "image/svg+xml"],
  ["an SVG with its XML declaration", Buffer.from(`<?xml version="1.0"?>${svg}`), "text/plain"],
  ["a shell script", Buffer.from("#!/bin/sh\nrm -rf /"), "text/plain"],
  ["a zip", zipEntry("a.txt", "text"), "application/zip"],
  ["a zip declared as DOCX", zipEntry("a.txt", "text"), docxType],
  ["a JAR declared as DOCX", zipEntry("META-INF/MANIFEST.MF", "text"), docxType],
  ["an XLSX declared as DOCX", xlsx, docxType],
  ["a DOCX with macros", openXml("ms-word.document.macroEnabled.12"), undefined],
  ["text with NUL", Buffer.from("a\0b"), "text/plain"],
  ["text that is not UTF-8", Buffer.from([0x61, 0xe9, 0x62]), "text/plain"],
  ["unknown bytes", Buffer.from([1, 2, 3, 0xff]), undefined],
  ["an empty PDF", Buffer.alloc(0), "application/pdf"]
]

describe("decideContentType", () => {
  for (const [content, declared, type] of accepted) {
    it.effect(`accepts ${type} (${content.length} bytes) declared as ${declared}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* decideContentType(content, declared), type)
        assert.include(fileTypes, type)
      })
    )
  }

  for (const [what, content, declared] of refused) {
    it.effect(`refuses ${what}`, () =>
      Effect.gen(function* () {
        const { _tag } = yield* Effect.flip(decideContentType(content, declared))
        assert.strictEqual(_tag, "ContentTypeRefused")
      })
    )
  }
})
