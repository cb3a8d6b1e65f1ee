import { DataKind } from "@care/domain/audit"
import { Effect } from "effect"
import type pg from "pg"
import type { BenchOrganization } from "../makeOrganization.ts"
import { newCase } from "../newCase.ts"
import type { Bench } from "../startBench.ts"
import type { MailSink } from "../startMailSink.ts"
import { jobsDone } from "./jobsDone.ts"
import { refusedRequests } from "./refusedRequests.ts"
import type { Side } from "./sides.ts"

/** Replaces ids, times and names of patients, providers and cases by placeholders. */
const normalised = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<time>")
    .replaceAll(/(bench|provider)\d+@/g, "<person>@")
    .replaceAll(/\+1\d{10}/g, "<phone>")
    .replaceAll(/"shortId":"\w+"/g, '"shortId":"<short id>"')

/** Returns a mail without its date, its id and the id of its case. */
const normalisedMail = (mail: string): string =>
  normalised(mail)
    .replaceAll(/^(Date|Message-ID): .*$/gm, "$1")
    .replaceAll(/ case [0-9A-Z]{8} /g, " case <short id> ")

// The kinds of an entry, from their bits, which have no order.
const namesOfKinds = `ARRAY(
  SELECT name FROM unnest('{${DataKind.literals.join()}}'::text[]) WITH ORDINALITY AS kind (name, number)
  WHERE kinds & (1 << (number - 1)::integer) <> 0
)`

const recorded: Readonly<Record<Side["name"], string>> = {
  suite: ["cases", "auth"]
    .flatMap((service) => [
      `SELECT id, user_id, action, ${namesOfKinds} AS kinds FROM ${service}.audit_entries`,
      `SELECT id, user_id, action, kinds FROM ${service}.audit_waiting`
    ])
    .join(" UNION ALL "),
  peer: "SELECT * FROM peer.audit_records"
}
const linked: Readonly<Record<Side["name"], string>> = {
  suite: "SELECT id AS record_id FROM cases.audit_entries UNION ALL SELECT id FROM auth.audit_entries",
  peer: "SELECT * FROM peer.audit_links"
}

/** Reads the audit records of the patients of some cases once all are linked, without their actors, which may be services of the suite. */
const recordsOf = (database: pg.ClientBase, { name }: Side, caseIds: ReadonlyArray<string>) =>
  Effect.promise(() =>
    database.query<{ readonly what: string; readonly is_linked: boolean }>(
      `SELECT concat_ws(' ', action, ARRAY(SELECT kind FROM unnest(kinds) AS kind ORDER BY kind)) AS what,
              EXISTS (SELECT FROM (${linked[name]}) l WHERE l.record_id = r.id) AS is_linked
       FROM (${recorded[name]}) r
       WHERE user_id IN (SELECT user_id FROM cases.cases WHERE id = ANY($1::uuid[]))
       ORDER BY 1`,
      [caseIds]
    )
  ).pipe(
    Effect.delay("100 millis"),
    Effect.repeat({ until: ({ rows }) => rows.length >= caseIds.length && rows.every(({ is_linked }) => is_linked) }),
    Effect.timeout("10 seconds"),
    Effect.map(({ rows }) => rows.map(({ what }) => what).join("\n"))
  )

/**
 * Stops the benchmark unless the suite and its peer do the same: equal case details byte for byte, equal creations except for ids, equal
 * stored cases as the suite reads them, equal audit records, equal notices to patients and providers, and equal refusals.
 */
export const requireSameAnswers = Effect.fnUntraced(function* (
  { admin, database }: Bench,
  { key, productId }: BenchOrganization,
  sides: ReadonlyArray<Side>,
  mailSink: MailSink,
  caseIds: ReadonlyArray<string>
) {
  const send = (origin: string, path: string, body?: unknown) =>
    Effect.promise(async () => {
      const response = await fetch(`${origin}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { "cv-api-key": key, ...(body !== undefined && { "content-type": "application/json" }) },
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
      return { status: response.status, text: await response.text() }
    })
  const requireSame = (name: string, texts: ReadonlyArray<string>) =>
    new Set(texts).size === 1
      ? Effect.void
      : Effect.die(
          new Error(
            [`The sides differ in ${name}:`, ...texts.map((text, index) => `${sides[index]?.name}: ${text}`)].join("\n")
          )
        )

  const readIds = caseIds.slice(0, 50)
  for (const caseId of readIds) {
    const path = `/api/v1/customer-case-detail?caseId=${caseId}`
    const answers = yield* Effect.forEach(sides, ({ origin }) => send(origin, path))
    yield* requireSame(
      "a case detail",
      answers.map(({ status, text }) => `${status} ${text}`)
    )
  }

  yield* requireSame(
    "what is recorded of reads",
    yield* Effect.forEach(sides, (side) => recordsOf(database, side, readIds))
  )

  const created = yield* Effect.forEach(sides, ({ origin }) => send(origin, "/api/v1/cases", newCase(productId)))
  yield* requireSame(
    "a case creation",
    created.map(({ status, text }) => `${status} ${normalised(text)}`)
  )
  const mails = yield* mailSink.heardDuring(jobsDone(database))
  const madeIds = created.map(({ text }) => {
    const { data }: { readonly data: { readonly caseId: string } } = JSON.parse(text)
    return data.caseId
  })
  yield* requireSame(
    "what is recorded of a creation",
    yield* Effect.forEach(sides, (side, index) => recordsOf(database, side, madeIds.slice(index, index + 1)))
  )
  const stored = yield* Effect.forEach(madeIds, (caseId) => admin.call("GET", `/cases/${caseId}`))
  yield* requireSame(
    "the case that was created",
    stored.map((row) => normalised(JSON.stringify(row)))
  )
  const mailsOfCases = stored.map(({ shortId }) =>
    mails.filter((mail) => mail.includes(String(shortId))).map(normalisedMail)
  )
  yield* requireSame(
    "what people are told of the case",
    mailsOfCases.map((mailsOfCase) => mailsOfCase.sort().join("\n"))
  )
  if (mailsOfCases.some(({ length }) => length !== 2)) {
    yield* Effect.die(new Error("Neither side tells the patient and the provider."))
  }

  const existing = newCase(productId)
  for (const { origin } of sides.slice(0, 1)) yield* send(origin, "/api/v1/cases", existing)
  for (const [name, { body, path }] of Object.entries(refusedRequests(productId, existing))) {
    const answers = yield* Effect.forEach(sides, ({ origin }) => send(origin, path, body))
    yield* requireSame(
      `the refusal of ${name}`,
      answers.map(({ status }) => String(status))
    )
    if (answers.some(({ status }) => status < 400)) yield* Effect.die(new Error(`Nobody refuses ${name}.`))
  }
})
