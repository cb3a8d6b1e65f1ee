import { ApiKeysApi, MembersApi, StaffAdminApi } from "@care/domain/admin"
import type { PagePosition } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { Effect, Option, Stream } from "effect"
import { clientOf } from "../../client/clientOf.ts"

const { members } = Effect.runSync(clientOf(MembersApi))
const { apiKeys } = Effect.runSync(clientOf(ApiKeysApi))
const { staffAdmin } = Effect.runSync(clientOf(StaffAdminApi))

interface Place {
  readonly limit: number
  readonly cursor?: PagePosition
}

const allOf = <Row, E>(
  pageAt: (
    place: Place
  ) => Effect.Effect<{ readonly data: ReadonlyArray<Row>; readonly nextCursor: PagePosition | null }, E>
) =>
  Stream.runCollect(
    Stream.paginate<PagePosition | undefined, Row, E>(undefined, (cursor) =>
      Effect.map(
        pageAt({ limit: 100, ...(cursor !== undefined && { cursor }) }),
        ({ data, nextCursor }) => [data, Option.fromNullOr(nextCursor)] as const
      )
    )
  )

interface Person {
  readonly id: string
  readonly firstName: string
  readonly lastName: string
}

const nameOf = ({ firstName, id, lastName }: Person) => [id, `${firstName} ${lastName}`] as const

/** The names of an organization's staff, those who left among them, and of its keys, each by id. */
export const namesIn = (organizationId: OrganizationId) =>
  Effect.gen(function* () {
    const params = { organizationId }
    const [active, removed, keys] = yield* Effect.all(
      [
        allOf((place) => members.list({ params, query: { ...place, isActive: "true" } })),
        allOf((place) => members.list({ params, query: { ...place, isActive: "false" } })),
        allOf((query) => apiKeys.list({ params, query }))
      ],
      { concurrency: "unbounded" }
    )
    return {
      staff: new Map<string, string>([...active, ...removed].map(nameOf)),
      keys: new Map<string, string>(keys.map(({ id, label, prefix }) => [id, label ?? `Key ${prefix}`]))
    }
  })

/** The names of the platform's operators, by id. */
export const operatorNames = Effect.map(
  allOf((query) => staffAdmin.operators({ query })),
  (operators) => new Map<string, string>(operators.map(nameOf))
)
