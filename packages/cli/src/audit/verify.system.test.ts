import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { chainHash, firstHash } from "@care/audit/chainHash"
import { AuditLink, type ServiceAuditRecord } from "@care/domain/audit"
import { OrganizationId } from "@care/domain/ids"
import { serveListener } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"

const main = join(dirname(fileURLToPath(import.meta.url)), "../main.ts")
const organizationId = OrganizationId.make(randomUUID())
const count = 20_500
const changed = 12_345

const record = (number: number): ServiceAuditRecord => ({
  id: randomUUID(),
  organizationId,
  at: new Date(Date.UTC(2026, 0, 1) + number),
  shown: [],
  action: "CASE_READ",
  actor: { type: "OPERATOR", id: null },
  caseId: null,
  userId: null,
  requestId: `request-${number}`,
  kinds: ["CASES"]
})

const chain: ReadonlyArray<AuditLink> = (() => {
  const links: Array<AuditLink> = []
  let previous = firstHash
  for (let number = 1; number <= count; number += 1) {
    const each = record(number)
    previous = chainHash(previous, number, each)
    links.push({ number, recordId: each.id, hash: previous, record: each })
  }
  return links
})()

const encode = Schema.encodeSync(Schema.toCodecJson(Schema.Array(AuditLink)))

/** A gateway with one chain, of cases, in pages of 1,000. The cursor is the number of the last link. */
const answer = (links: ReadonlyArray<AuditLink>) => (request: IncomingMessage, response: ServerResponse) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://gateway")
  const [kind, service] = pathname.replace("/admin/v1/audit/", "").split("/")
  const end = { organizationId, count, hash: chain.at(-1)?.hash }
  const after = Number(Buffer.from(searchParams.get("cursor") ?? "MA", "base64url").toString())
  const page = links.slice(after, after + 1000)
  const [data, nextCursor] =
    service !== "cases"
      ? [[], null]
      : kind === "heads"
        ? [[end], null]
        : kind === "links"
          ? [encode(page), page.length === 1000 ? Buffer.from(String(after + 1000)).toString("base64url") : null]
          : [[], null]
  response.end(JSON.stringify({ data, nextCursor }))
}

/** Runs `care audit verify` as a process, and returns its output and exit code. */
const verify = (url: string) =>
  Effect.callback<{ readonly out: string; readonly err: string; readonly code: number | null }>((resume) => {
    const env = { PATH: process.env["PATH"], CARE_URL: url, ADMIN_TOKEN: "token" }
    const child = spawn(process.execPath, [main, "audit", "verify"], { env })
    let [out, err] = ["", ""]
    child.stdout.on("data", (part) => (out += part))
    child.stderr.on("data", (part) => (err += part))
    child.once("close", (code) => resume(Effect.succeed({ out, err, code })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

it.live("care audit verify shows its progress, and exits with 1 when a record was changed, otherwise with 0", () =>
  Effect.gen(function* () {
    const good = yield* serveListener(answer(chain))
    const verified = yield* verify(good.url)
    const name = `1 of 1, cases ${organizationId}`
    assert.strictEqual(verified.code, 0)
    assert.strictEqual(verified.out, "Chains verified: 1. No changes found.\n")
    assert.strictEqual(
      verified.err,
      `${name}: 10000 of ${count} records\n${name}: 20000 of ${count} records\n${name}: ${count} records\n`
    )

    const tampered = yield* serveListener(
      answer(
        chain.map((link) =>
          link.number === changed && link.record !== null
            ? { ...link, record: { ...link.record, action: "CASE_FOUND" } }
            : link
        )
      )
    )
    const found = yield* verify(tampered.url)
    assert.strictEqual(found.code, 1)
    assert.include(found.out, `record ${changed} was changed: ${chain[changed - 1]?.recordId}`)
    assert.include(found.err, `${name}: 20000 of ${count} records\n`)
    assert.include(found.err, "Audit records were changed. Findings: 1.")
  }).pipe(Effect.scoped)
)
