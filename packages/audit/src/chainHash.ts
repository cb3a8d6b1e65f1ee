import { hash } from "node:crypto"
import type { ServiceAuditRecord } from "@care/domain/audit/AuditRecord"
import { recordLine } from "./recordLine.ts"

/** The previous hash of the first link of a chain. */
export const firstHash = "0".repeat(64)

/** Returns the hash of a link from the line of its record (`recordLine`). */
export const chainHashOfLine = (previous: string, number: number, line: string): string =>
  hash("sha256", `${previous}${number}${line}`)

/**
 * Returns the hash of a link: SHA-256, in hex, of the previous hash, the link's number and the whole record as a line of JSON
 * (`recordLine`). Anybody who has the records can compute it.
 */
export const chainHash = (previous: string, number: number, record: ServiceAuditRecord): string =>
  chainHashOfLine(previous, number, recordLine(record))
