import { Effect } from "effect"
import { Suite } from "./Suite.ts"

/** Returns the metrics of the process at a URL. */
export const metricsOf = (url: string) =>
  Effect.flatMap(Suite, ({ secrets }) =>
    Effect.promise(() =>
      fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${secrets.ADMIN_TOKEN}` } }).then((answer) =>
        answer.text()
      )
    )
  )
