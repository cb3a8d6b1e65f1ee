import { hash } from "node:crypto"
import type { ServiceAuditRecord } from "@care/domain/audit/AuditRecord"
import { recordLine } from "./recordLine.ts"

/** What the first link of a chain has in place of the hash of the one before. */
export const firstHash = "0".repeat(64)

/** The hash of a link whose record is a line (`recordLine`). */
export const chainHashOfLine = (previous: string, number: number, line: string): string =>
  hash("sha256", `${previous}${number}${line}`)

/**
 * The hash of a link: SHA-256, in hexadecimal digits, of the hash of the link before, the link's number and the whole record,
 * as a line of JSON (`recordLine`). Whoever has the records computes the same.
 */
export const chainHash = (previous: string, number: number, record: ServiceAuditRecord): string =>
  chainHashOfLine(previous, number, recordLine(record))
