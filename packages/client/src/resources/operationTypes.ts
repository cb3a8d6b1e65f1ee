import type { Operations } from "../generated.ts"

/** The body of a request of an operation. */
export type BodyOf<Id extends keyof Operations> = Operations[Id]["input"] extends { readonly body: infer Body }
  ? Body
  : never

/** The query of a request of an operation. */
export type QueryOf<Id extends keyof Operations> = Operations[Id]["input"] extends {
  readonly query?: infer Query
}
  ? NonNullable<Query>
  : never

/** The answer of an operation. */
export type AnswerOf<Id extends keyof Operations> = Operations[Id]["answer"]
