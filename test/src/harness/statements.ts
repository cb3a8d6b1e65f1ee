import type { ServiceName } from "@care/domain/peers"
import { services } from "@care/sandbox"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { refusedStatements } from "./refusedStatements.ts"

/** The settings of a PostgreSQL that records all statements. */
export const recordingStatements = {
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.max": "50000",
  "pg_stat_statements.track": "top",
  "pg_stat_statements.track_utility": "off"
}

/** Patterns of the statements that may touch data of organizations without a condition on the organization, with the reason. */
const exceptions: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /^SELECT organization_id(, (user_id|role))? FROM (cases|orders|users|escalations|payments|webhook_endpoints) WHERE id = \$1/,
    "an operator's path, or a partner's, names an id alone"
  ],
  [
    /AS is_moving\s+FROM "(orders|users|cases|escalations|payments|promo_codes|webhook_endpoints)" AS found\s+WHERE id = \$1/,
    "the gateway looks for the cell and the organization of an id that a path of operators or staff names alone"
  ],
  [
    /^SELECT test\.organization_id, .* FROM "\w+" AS found JOIN test_organizations AS test/,
    "the path of an operator names an id alone, whose organization may be a sandbox"
  ],
  [
    /organization_id = \$1 AS is_own\s+FROM users/,
    "check-user and UPDATE_EMAIL tell whether an identifier exists anywhere"
  ],
  [
    /^SELECT created_at FROM users WHERE (email|phone_number) = \$1 AND deleted_at IS NULL/,
    "another cell asks whether an identifier exists anywhere"
  ],
  [
    /FROM refresh_tokens t\s+JOIN .* WHERE t\.token_hash = \$1$/,
    "a token of another organization is refused with words of its own"
  ],
  [
    /FROM payments WHERE intent_id = \$1 ORDER BY/,
    "an event of the gateway names an intent alone, and one that our API did not make says nothing of whose it is"
  ],
  [
    /^SELECT organization_id FROM payment_intents WHERE id = \$1 AND organization_id IS NOT NULL UNION/,
    "an event of the gateway names an intent: its organization is a sandbox or a live one, as the account is"
  ],
  [
    /^SELECT require_here\(organization_id\) FROM/,
    "an event of the gateway names an intent: whoever it belongs to may be in another cell"
  ],
  [
    /FROM patient_customers WHERE customer_id = \$1/,
    "a customer of the gateway who names no organization is the first's, and is deleted when nobody has them"
  ],
  [/FROM bookings WHERE event_type_id = \$1/, "an event of the scheduling provider names no organization"],
  [/WHERE u\.email = \$\d+ AND NOT o\.is_disabled/, "a member of staff who signs in names no organization"],
  [/FROM single_sign_on_domains d .* WHERE d\.domain = \$/, "the domain of an email tells whose staff signs in"],
  [
    /^SELECT split_part\(email, .* AS domain FROM/,
    "an administrator gets no domain that the staff of another organization has"
  ],
  [/FROM staff_sessions s .* WHERE s\.token_hash = \$/, "the session tells whose it is"],
  [
    /^SELECT organization_id, user_id FROM staff_sessions WHERE id = \$1/,
    "the path of an administrator names an id alone"
  ],
  [/FROM passkeys WHERE user_id = \$1 AND credential_id = \$2$/, "a passkey tells whose it is"],
  [/^WITH candidates AS/, "an operator searches the cases of all organizations"],
  [/^WITH RECURSIVE organization \(id\) AS/, "an operator lists the organizations at which something is wrong"],
  [
    /FROM promo_codes WHERE (\$\d+ AND|organization_id IS NULL AND|id IN \()/,
    "an operator lists the promo codes of all organizations, and global ones"
  ],
  [/^UPDATE promo_codes SET .* WHERE id = \$\d+ AND \$\d+ RETURNING/, "an operator's path names an id alone"],
  [/FROM break_glass WHERE \$\d+ AND/, "an operator lists the broken glass of all organizations"],
  [/^WITH RECURSIVE open_owners AS/, "a sweep asks the gateway for the open payments of each organization in its turn"],
  [/FROM calendar_events WHERE starts_at >= \$1/, "a sweep compares what the scheduling provider has, whoever's it is"],
  [
    /FROM payments WHERE (status = of_status\.status|case_id = \$\d+ AND NOT is_prepared)/,
    "an operator lists the payments of all organizations, or those of a case that is named alone"
  ],
  [
    /FROM payments WHERE (differs_from_gateway|operation IS NOT NULL)/,
    "gauges count those of all organizations, and a sweep settles them"
  ],
  [
    /FROM calendar_events WHERE agent_event_id = (ANY\()?\$1/,
    "the scheduling provider's own id of an event names no organization"
  ],
  [/FROM case_activity WHERE awaits_notice/, "people are told of the cases of all organizations, as they happen"],
  [/^UPDATE case_activity SET awaits_notice = /, "the same: the activity that they were told of, by its whole key"],
  [
    /FROM case_activity WHERE awaits_event|^UPDATE case_activity SET awaits_event = |own_events/,
    "the relay gives what happened to the cases of all organizations its place, by its whole key"
  ],
  [
    /^WITH still AS MATERIALIZED \( SELECT organization_id FROM test_organizations/,
    "the same: the sandboxes among them"
  ],
  [
    /^WITH given AS .* placed AS/,
    "the same: each row says whose it is, and is joined with that organization's endpoints alone"
  ],
  [/^WITH missing AS \( SELECT /, "a migration fills the columns of all organizations"],
  [
    /^WITH due AS MATERIALIZED .* FROM delivery_queues|FROM delivery_queues WHERE due_at < claimed_until/,
    "what is due is sent, whoever's it is; a claim is of this process alone"
  ],
  [/SELECT FROM delivery_queues q CROSS JOIN/, "gauges count those of all organizations"],
  [/FROM payment_intents WHERE unclaimed_since < /, "the same"],
  [/LEFT JOIN test_organizations AS test ON test\.organization_id = oldest\.organization_id/, "the same"],
  [
    /FROM test_organizations AS test WHERE test\.organization_id = claimed\.organization_id/,
    "a claim tells how far the clock of each job's organization is ahead"
  ],
  [
    /^WITH old AS \( SELECT organization_id, id FROM .* AS renamed SET /,
    "a migration renames events of all organizations"
  ],
  [/FROM messages WHERE \(created_at, id\) </, "the operator's mailbox of development holds the messages of all"],
  [
    /^WITH taken AS \( DELETE FROM audit_(waiting|unlinked)/,
    "what waits is linked, whoever's it is, each in the chain of its own"
  ],
  [
    /^SELECT organization_id(, coalesce\(count, .*)? FROM .*audit_heads|^WITH RECURSIVE found AS .*audit_heads/,
    "the ends of the chains that what was taken goes into, or that an operator keeps"
  ],
  [
    /FROM audit_records WHERE \(?organization_id = organizations\.id/,
    "an operator lists the records of all organizations"
  ],
  [/FROM patient_keys WHERE wrapped IS NULL$/, "the list of erasures has those of all organizations"],
  [/FROM \(SELECT FROM audit_waiting/, "a gauge counts what waits of all organizations"],
  [
    /FROM audit_heads h WHERE h\.month < |^UPDATE audit_heads SET month = |AS whose \(organization_id\) CROSS JOIN LATERAL \( SELECT count, hash FROM audit_checkpoints/,
    "a month ends for the chains of all organizations"
  ],
  [
    /FROM audit_checkpoints WHERE month = \$1 (AND organization_id > |ORDER BY)/,
    "a month is archived for the chains of all organizations"
  ],
  [/^SELECT DISTINCT month FROM audit_checkpoints/, "an operator lists the records of all organizations"],
  [
    /^SELECT given\.id FROM unnest\(.*FROM audit_entries e WHERE e\.organization_id = given\.organization_id/,
    "records of all organizations that are linked are looked for by their whole keys"
  ],
  [
    /^SELECT (json_build_object\(.*\) AS row_key|key_id, count\()/,
    "PHI_KEY is rotated, and counted, for all organizations"
  ],
  [
    /^INSERT INTO stored_amounts .* GROUP BY organization_id|FROM stored_amounts WHERE (kind = ANY|EXISTS)|^SELECT "\w+" AS time .* OFFSET/,
    "what was stored meanwhile is counted, of each organization for itself"
  ],
  [
    /^UPDATE request_log_days d .* WHERE d.organization_id = given."organizationId"/,
    "requests of several organizations are logged together, each counted under its own"
  ],
  [
    /^DELETE FROM "\w+" USING \( SELECT .* SKIP LOCKED \) AS old WHERE/,
    "the hourly clean-up removes what has expired, whoever's it is"
  ]
]

const ownedTables =
  /\b(FROM|JOIN|INTO|UPDATE)\s+"?(users|credentials|one_time_codes|code_requests|staff_sessions|passkeys|passkey_challenges|recovery_codes|device_sign_ins|single_sign_ons|single_sign_on_domains|sign_ons_in_progress|refresh_token_families|refresh_tokens|messages|notice_counts|products|forms|form_questions|bundles|bundle_products|cases|case_activity|provider_loads|people|case_products|form_responses|comments|decisions|documents|document_pieces|orders|order_contents|pharmacy_events|escalations|case_payments|calendar_event_snapshots|payments|case_owners|payment_preparations|saved_methods|patient_customers|deleted_customers|stripe_calls|payment_confirmations|promo_codes|promo_code_terms|promo_redemptions|calendar_events|calendar_nights|bookings|cancellations|case_snapshots|events|monthly_events|own_events|webhook_endpoints|webhook_deliveries|webhook_attempts|delivery_lanes|delivery_queues|organization_snapshots|idempotency_keys|answer_counts|audit_records|audit_shown|audit_links|audit_heads|audit_unlinked|audit_waiting|audit_entries|audit_entry_cases|audit_checkpoints|patient_keys|break_glass|case_viewers|request_logs|request_log_days|test_organizations|clock_advances)\b(?!"?\.)/i

const namesOrganization =
  /organization_id"?\s*=\s*\$\d+(::uuid)?(?!\s*AS\b)|INSERT INTO\s+"?\w+"?\s*\([^)]*\borganization_id\b/i

/** Returns the statements that touch data of organizations without a condition on the organization, except the allowed ones. */
export const unscopedStatements = (statements: ReadonlyArray<string>): ReadonlyArray<string> =>
  statements
    .map((statement) => statement.replace(/\s+/g, " ").trim())
    .filter((statement) => ownedTables.test(statement) && !namesOrganization.test(statement))
    .filter((statement) => !exceptions.some(([pattern]) => pattern.test(statement)))

const recordedIn = (databaseUrl: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [standby] = yield* sql`SELECT FROM pg_extension WHERE extname = 'pg_stat_statements' AND pg_is_in_recovery()`
    if (standby === undefined) yield* sql`CREATE EXTENSION IF NOT EXISTS pg_stat_statements`
    const rows = yield* sql<{ role: string; query: string }>`
      SELECT DISTINCT r.rolname AS role, s.query FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid
      WHERE r.rolname LIKE 'care\\_%' AND s.dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
    `
    const evicted = yield* sql`SELECT FROM pg_stat_statements_info WHERE dealloc > 0`
    if (evicted.length > 0) {
      return yield* Effect.die(new Error("PostgreSQL forgot statements: raise pg_stat_statements.max"))
    }
    return rows
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(databaseUrl), maxConnections: 1 })), Effect.orDie)

/**
 * Reads the statements that the four services sent to recording PostgreSQLs, on the databases of one suite. (Statements of tests run under
 * another role.) Dies if statements were not recorded.
 */
export const statementsOfServices = Effect.fnUntraced(function* (databaseUrls: Readonly<Record<ServiceName, string>>) {
  const rows = (yield* Effect.forEach(new Set(Object.values(databaseUrls)), recordedIn)).flat()
  const roles = new Set(rows.map(({ role }) => role))
  if (roles.size !== services.length) {
    return yield* Effect.die(new Error(`PostgreSQL recorded statements of ${roles.size} services only`))
  }
  return [...new Set(rows.map(({ query }) => query))]
})

/**
 * Dies if a service sent a statement on data of organizations without a condition on the organization, or one that a distributed or
 * partitioned PostgreSQL does not take.
 */
export const checkStatements = Effect.fnUntraced(function* (databaseUrls: Readonly<Record<ServiceName, string>>) {
  const statements = yield* statementsOfServices(databaseUrls)
  const unscoped = unscopedStatements(statements)
  if (unscoped.length > 0) {
    return yield* Effect.die(new Error(`Statements that name no organization:\n${unscoped.join("\n")}`))
  }
  const refused = refusedStatements(statements)
  if (refused.length > 0) {
    return yield* Effect.die(new Error(`Statements that a distributed PostgreSQL refuses:\n${refused.join("\n")}`))
  }
})
