import { Effect } from "effect"
import { Suite } from "./Suite.ts"

/** What the process at a URL has counted, as its operator reads it. */
export const metricsOf = (url: string) =>
  Effect.flatMap(Suite, ({ secrets }) =>
    Effect.promise(() =>
      fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${secrets.ADMIN_TOKEN}` } }).then((answer) =>
        answer.text()
      )
    )
  )
