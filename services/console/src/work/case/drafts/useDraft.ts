import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Option, Schema } from "effect"
import { useState } from "react"
import { useSession } from "../../../session/useSession.ts"
import { draftStoreOf } from "./draftStore.ts"

/**
 * Keeps what a person types about a subject until it is sent: it is there again after a reload. `value` is undefined until the draft is
 * read. `forget` empties it.
 */
export const useDraft = <Draft>(subject: string, schema: Schema.Codec<Draft, unknown>, empty: () => Draft) => {
  const { draftKey, user } = useSession()
  const client = useQueryClient()
  const [store] = useState(() => draftStoreOf(draftKey, subject))
  const [codec] = useState(() => Schema.fromJsonString(schema))
  const queryKey = ["drafts", user.id, subject]
  const { data } = useQuery({
    queryKey,
    queryFn: async () => {
      const stored = Schema.decodeUnknownOption(codec)(await store.read())
      return Option.getOrElse(stored, empty)
    },
    staleTime: "static",
    gcTime: Number.POSITIVE_INFINITY
  })
  // The cache tells of changes a moment later, which would move the cursor of who types.
  const [typed, setTyped] = useState<Draft | undefined>(undefined)
  return {
    value: typed ?? data,
    change: (part: Partial<Draft>) => {
      const next = { ...(client.getQueryData<Draft>(queryKey) ?? empty()), ...part }
      client.setQueryData(queryKey, next)
      setTyped(next)
      void store.write(Schema.encodeSync(codec)(next))
    },
    forget: () => {
      client.setQueryData(queryKey, empty())
      setTyped(undefined)
      void store.write(undefined)
    }
  }
}
