import type { ApiKey } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../../client/send.ts"
import { Button } from "../../ui/Button.tsx"
import { Choice } from "../../ui/Choice.tsx"
import { Confirmation } from "../../ui/Confirmation.tsx"
import { ShownOnce } from "../../ui/ShownOnce.tsx"
import { Window } from "../../ui/Window.tsx"
import { apiKeys, keysKey } from "./keyQueries.ts"

const overlaps = [
  { value: "0", text: "At once" },
  { value: "3600", text: "After an hour" },
  { value: "86400", text: "After a day" },
  { value: "604800", text: "After a week" },
  { value: "2592000", text: "After 30 days" }
] as const

interface RotateKeyProps {
  readonly apiKey: ApiKey
  readonly organizationId: OrganizationId
}

/** The button that replaces a key by a new one, which is shown once. */
export const RotateKey = ({ apiKey, organizationId }: RotateKeyProps) => {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]["value"]>("86400")
  const [key, setKey] = useState<string>()
  const name = apiKey.label ?? apiKey.prefix
  return (
    <>
      <Button isSmall aria-label={`Rotate ${name}`} onPress={() => setAsking(true)}>
        Rotate
      </Button>
      <Confirmation
        title="Rotate the key?"
        action="Rotate"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          const payload = { overlapSeconds: Number(overlap) }
          const issued = await send(apiKeys.rotate({ params: { apiKeyId: apiKey.id }, payload }))
          setKey(issued.key)
          void client.invalidateQueries({ queryKey: keysKey(organizationId) })
        }}
      >
        <p>
          A new key may do the same as <strong dir="auto">{name}</strong>. Choose when the present one ends.
        </p>
        <Choice label="The present key ends" value={overlap} options={overlaps} onChange={setOverlap} />
      </Confirmation>
      <Window title="Your new API key" isOpen={key !== undefined} onClose={() => {}}>
        {key === undefined ? null : (
          <ShownOnce secret={key} onDone={() => setKey(undefined)}>
            Copy the key now, and keep it where only your servers read it. It is not shown again.
          </ShownOnce>
        )}
      </Window>
    </>
  )
}
