import { ApiKeysApi, MembersApi, StaffAdminApi } from "@care/domain/admin"
import type { PagePosition } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { useQuery } from "@tanstack/react-query"
import { Effect } from "effect"
import { clientOf } from "../../client/clientOf.ts"
import { may } from "../../client/may.ts"
import { send } from "../../client/send.ts"
import { useSession } from "../../session/useSession.ts"

const { members } = Effect.runSync(clientOf(MembersApi))
const { apiKeys } = Effect.runSync(clientOf(ApiKeysApi))
const { staffAdmin } = Effect.runSync(clientOf(StaffAdminApi))

interface Page<Row> {
  readonly data: ReadonlyArray<Row>
  readonly nextCursor: PagePosition | null
}

const allOf = <Row, E>(
  pageAt: (query: { readonly limit: number; readonly cursor?: PagePosition }) => Effect.Effect<Page<Row>, E>
) =>
  Effect.gen(function* () {
    const rows: Array<Row> = []
    let page = yield* pageAt({ limit: 100 })
    rows.push(...page.data)
    while (page.nextCursor !== null) {
      page = yield* pageAt({ limit: 100, cursor: page.nextCursor })
      rows.push(...page.data)
    }
    return rows
  })

interface Person {
  readonly id: string
  readonly firstName: string
  readonly lastName: string
}

const nameOf = ({ firstName, id, lastName }: Person) => [id, `${firstName} ${lastName}`] as const

const namesIn = (organizationId: OrganizationId) =>
  Effect.gen(function* () {
    const params = { organizationId }
    const active = yield* allOf((query) => members.list({ params, query: { ...query, isActive: "true" } }))
    const removed = yield* allOf((query) => members.list({ params, query: { ...query, isActive: "false" } }))
    const keys = yield* allOf((query) => apiKeys.list({ params, query }))
    return new Map<string, string>([
      ...[...active, ...removed].map(nameOf),
      ...keys.map(({ id, label, prefix }) => [id, label ?? `Key ${prefix}`] as const)
    ])
  })

const none: ReadonlyMap<string, string> = new Map()

/** Returns the names of an organization's staff and keys, by id. */
export const useNamesIn = (organizationId: OrganizationId): ReadonlyMap<string, string> =>
  useQuery({
    queryKey: ["actor-names", organizationId],
    queryFn: ({ signal }) => send(namesIn(organizationId), signal),
    staleTime: 600_000
  }).data ?? none

/** Returns the names of the platform's operators, by id, for those who may read them. */
export const useOperatorNames = (): ReadonlyMap<string, string> => {
  const { user } = useSession()
  return (
    useQuery({
      queryKey: ["operator-names"],
      queryFn: ({ signal }) =>
        send(
          Effect.map(
            allOf((query) => staffAdmin.operators({ query })),
            (operators) => new Map<string, string>(operators.map(nameOf))
          ),
          signal
        ),
      staleTime: 600_000,
      enabled: may(user.role, "staffAdmin", "operators")
    }).data ?? none
  )
}
