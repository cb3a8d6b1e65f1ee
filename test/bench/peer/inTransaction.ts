import type pg from "pg"

/** Runs `use` in a transaction, which is rolled back when it throws. */
export const inTransaction = async <A>(pool: pg.Pool, use: (client: pg.PoolClient) => Promise<A>): Promise<A> => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const result = await use(client)
    await client.query("COMMIT")
    return result
  } catch (error) {
    await client.query("ROLLBACK")
    throw error
  } finally {
    client.release()
  }
}
