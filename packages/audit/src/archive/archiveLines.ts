import { gunzipSync, gzipSync } from "node:zlib"
import type { ArchivedChain } from "@care/domain/audit/AuditArchive"
import type { AuditService } from "@care/domain/audit/AuditRecord"
import type { PhiCipher } from "@care/phi/PhiCipher"
import { chainHashOfLine } from "../chainHash.ts"

type Cipher = PhiCipher["Service"]

/** The number of links and the hash of the last one. */
export interface ChainState {
  readonly count: number
  readonly hash: string
}

/** A chain in a month. */
export interface ChainOfMonth {
  readonly service: AuditService
  readonly month: number
  readonly organizationId: string
}

// A piece has at most 1,000 records and some 10,000 cases in lists: less than this.
const maxPieceBytes = 64 * 1024 * 1024

const placeOfPiece = ({ month, organizationId, service }: ChainOfMonth, first: number) =>
  `audit archive/${JSON.stringify([service, organizationId, month, first])}`

const placeOfChains = (service: AuditService, month: number, after: string | undefined) =>
  `audit archive/${JSON.stringify([service, month, after ?? null])}`

// The form of a sealed text: the key's id, and base64 of the rest. Bytes have their key's id at the beginning, after its length.
const textOf = (sealed: Buffer): string => {
  const start = 1 + (sealed[0] ?? 0)
  return `${sealed.toString("utf8", 1, start)}:${sealed.toString("base64", start)}`
}

const bytesOf = (text: string): Buffer => {
  const [id = "", content = ""] = text.split(":", 2)
  const bytes = Buffer.concat([Buffer.of(Buffer.byteLength(id)), Buffer.from(id), Buffer.from(content, "base64")])
  // Base64 has several texts for some bytes.
  if (textOf(bytes) !== text) throw new Error("audit archive has a line that no service writes")
  return bytes
}

const seal = (cipher: Cipher, text: string, place: string): string => textOf(cipher.sealBytes(gzipSync(text), place))

const open = (cipher: Cipher, sealed: string, place: string): string =>
  gunzipSync(cipher.openBytes(bytesOf(sealed), place), { maxOutputLength: maxPieceBytes }).toString("utf8")

const stateAfter = (before: ChainState, lines: ReadonlyArray<string>): ChainState => {
  let { count, hash } = before
  for (const line of lines) {
    count += 1
    hash = chainHashOfLine(hash, count, line)
  }
  return { count, hash }
}

/** Seals records as a line of an archive, given by their lines (`recordLine`) and the state of their chain before them. */
export const sealPiece = (cipher: Cipher, chain: ChainOfMonth, before: ChainState, lines: ReadonlyArray<string>) => {
  const after = stateAfter(before, lines)
  const text = [JSON.stringify({ first: before.count + 1, last: after.count, hash: after.hash }), ...lines].join("\n")
  return { after, sealed: seal(cipher, text, placeOfPiece(chain, before.count + 1)) }
}

/**
 * Opens a line of an archive that follows a state of its chain. Returns the lines of its records, and the state after them. Throws if it was
 * changed, if it is of another chain or month or has another position, or if its key is unknown.
 */
export const openPiece = (cipher: Cipher, chain: ChainOfMonth, before: ChainState, sealed: string) => {
  const [head, ...lines] = open(cipher, sealed, placeOfPiece(chain, before.count + 1)).split("\n")
  const after = stateAfter(before, lines)
  if (head !== JSON.stringify({ first: before.count + 1, last: after.count, hash: after.hash })) {
    throw new Error("audit archive has records that do not lead from the hash before them to that after them")
  }
  return { lines, after }
}

/** A page of the chains of a service in a month, after an organization. `next` is the organization that the next page comes after. */
export interface PageOfChains {
  readonly chains: ReadonlyArray<ArchivedChain>
  readonly next: string | null
}

/** Seals a page of chains as a line of an archive. */
export const sealChains = (
  cipher: Cipher,
  service: AuditService,
  month: number,
  after: string | undefined,
  page: PageOfChains
): string => seal(cipher, JSON.stringify(page), placeOfChains(service, month, after))

/** Opens such a line, and returns its text. Throws as `openPiece` does. */
export const openChains = (
  cipher: Cipher,
  service: AuditService,
  month: number,
  after: string | undefined,
  sealed: string
): string => open(cipher, sealed, placeOfChains(service, month, after))
