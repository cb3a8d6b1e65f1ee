import { assert, it } from "@effect/vitest"
import { refusedStatements } from "./harness/refusedStatements.ts"

it.each([
  ["DELETE FROM messages WHERE ctid = ANY ($1)", "primary key"],
  ["WITH RECURSIVE due AS (SELECT id FROM jobs) UPDATE jobs SET state = $1 FROM due", "FOR UPDATE first"],
  ["INSERT INTO events (position) SELECT nextval($1) FROM placed", "sequence"],
  ["INSERT INTO logins (user_id, at) SELECT id, now() FROM users WHERE email = $1", "bind the time"],
  ["UPDATE jobs SET claim_id = gen_random_uuid() WHERE id = $1", "gen_random_uuid()"],
  ["UPDATE users SET email = $1 WHERE id = $2 RETURNING to_char(dob, $3)", "to_char()"],
  ["UPDATE jobs SET due_at = due_at + $1 * interval $2 WHERE id = $3", "interval"],
  ["DELETE FROM leases WHERE expires_at < current_timestamp", "current_timestamp"],
  ["INSERT INTO leases (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET at = now()", "now()"],
  [
    "WITH gone AS (DELETE FROM jobs WHERE ended_at < clock_timestamp() RETURNING id) SELECT id FROM gone",
    "clock_timestamp()"
  ],
  [
    "INSERT INTO loads (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET n = $2 WHERE loads.n = (SELECT n FROM requested)",
    "bind what it compares with"
  ],
  ["UPDATE codes SET used_at = $1, wrong_at = wrong_at[$2:] WHERE id = $3", "coalesce"],
  ["UPDATE jobs SET claim_id = ($1::uuid[])[number] FROM next WHERE jobs.id = next.id", "coalesce"],
  ["INSERT INTO jobs (id) VALUES ($1) RETURNING now() - created_at", "now()"]
])("refuses with a reason: %s", (statement, reason) => {
  const [refused = ""] = refusedStatements([statement])
  assert.include(refused, statement)
  assert.include(refused, reason)
})

it.each([
  "SELECT id FROM jobs WHERE due_at <= clock_timestamp() FOR NO KEY UPDATE",
  "WITH RECURSIVE due AS (SELECT id FROM jobs) SELECT id FROM due FOR UPDATE SKIP LOCKED",
  "WITH found AS (SELECT id FROM users) INSERT INTO logins (user_id, at) SELECT id, now() FROM found",
  "INSERT INTO logins (user_id, at) SELECT id, $1 FROM users WHERE email = $2",
  "INSERT INTO logins (user_id, at) SELECT id, now() FROM unnest($1) AS whose (id)",
  "SELECT nextval($1) FROM generate_series($2, $3)",
  "WITH changed AS (UPDATE users SET email = $1 WHERE id = $2 RETURNING *) SELECT to_char(dob, $3) FROM changed",
  "WITH ended AS (UPDATE cases SET status = $1 RETURNING id) INSERT INTO audit_records SELECT gen_random_uuid(), id FROM ended",
  "UPDATE codes SET wrong_at = coalesce(wrong_at[$1:], $2) WHERE wrong_at[$3] = $4",
  "UPDATE jobs SET ended_at = $1 WHERE id = $2 RETURNING id, known_at"
])("takes %s", (statement) => {
  assert.deepStrictEqual(refusedStatements([statement]), [])
})
