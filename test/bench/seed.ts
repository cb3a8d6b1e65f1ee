import type pg from "pg"

/** Stores `count` cases, each of a patient of its own, and answers the ids of some of them. */
export const seed = async (
  pool: pg.Pool,
  organizationId: string,
  productId: string,
  count: number
): Promise<ReadonlyArray<string>> => {
  await pool.query(
    "CREATE TEMP TABLE made AS SELECT n, gen_random_uuid() AS user_id, gen_random_uuid() AS case_id FROM generate_series(1, $1::int) AS n",
    [count]
  )
  await pool.query(
    `INSERT INTO auth.users (organization_id, id, email, first_name, last_name, role, phone_number, dob, created_at, updated_at)
     SELECT $1, user_id, 'seed' || n || '@example.com', 'Maria', 'Lopez', 'USER', '+1303' || lpad(n::text, 7, '0'), '1988-04-12', now(), now()
     FROM made`,
    [organizationId]
  )
  await pool.query(
    `INSERT INTO cases.cases (id, short_id, organization_id, user_id, title, status, type, is_test, is_sole, created_at, updated_at)
     SELECT case_id, 'S' || lpad(n::text, 7, '0'), $1, user_id, 'Semaglutide program', 'OPEN', 'ASYNC_TEXT_EMAIL', false, true, now(), now()
     FROM made`,
    [organizationId]
  )
  await pool.query(
    `INSERT INTO cases.case_products (case_id, index, organization_id, product_id, visit_type)
     SELECT case_id, 0, $1, $2, 'ASYNC_TEXT_EMAIL' FROM made`,
    [organizationId, productId]
  )
  const { rows } = await pool.query<{ case_id: string }>("SELECT case_id FROM made ORDER BY random() LIMIT 20000")
  await pool.query("DROP TABLE made")
  await pool.query("VACUUM ANALYZE")
  return rows.map(({ case_id }) => case_id)
}
