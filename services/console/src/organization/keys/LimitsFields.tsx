import { Scope } from "@care/domain/auth/Scope"
import { Field } from "../../ui/Field.tsx"
import { Radios } from "../../ui/Radios.tsx"
import { Ticks } from "../../ui/Ticks.tsx"

/** What is chosen about what a key may do, and from where. */
export interface LimitsDraft {
  readonly extent: "ALL" | "SOME"
  readonly scopes: ReadonlyArray<string>
  readonly networks: string
}

export const noLimits: LimitsDraft = { extent: "ALL", scopes: [], networks: "" }

/** Returns the draft of the limits that a key has. */
export const limitsOf = (key: {
  readonly scopes: ReadonlyArray<string> | null
  readonly allowedNetworks: ReadonlyArray<string> | null
}): LimitsDraft => ({
  extent: key.scopes === null ? "ALL" : "SOME",
  scopes: key.scopes ?? [],
  networks: (key.allowedNetworks ?? []).join("\n")
})

/** Returns the limits as the API takes them: null for none. */
export const limitsIn = ({ extent, networks, scopes }: LimitsDraft) => {
  const listed = networks.split(/[\s,]+/).filter((network) => network !== "")
  return { scopes: extent === "ALL" ? null : scopes, allowedNetworks: listed.length === 0 ? null : listed }
}

const scopes = Scope.literals.map((value) => ({ value, text: value }))

interface LimitsFieldsProps {
  readonly draft: LimitsDraft
  readonly onChange: (draft: LimitsDraft) => void
}

export const LimitsFields = ({ draft, onChange }: LimitsFieldsProps) => (
  <>
    <Radios
      label="What it may do"
      value={draft.extent}
      options={[
        { value: "ALL", text: "Everything" },
        { value: "SOME", text: "Only these" }
      ]}
      onChange={(extent) => onChange({ ...draft, extent })}
    />
    {draft.extent === "ALL" ? null : (
      <Ticks
        label="Scopes"
        options={scopes}
        error={null}
        value={draft.scopes}
        onChange={(chosen) => onChange({ ...draft, scopes: chosen })}
        empty="There is no scope."
        required={{ name: "scopes", text: "Tick at least one, or choose “Everything”." }}
      />
    )}
    <Field
      label="Allowed networks"
      name="allowedNetworks"
      rows={2}
      value={draft.networks}
      onChange={(networks) => onChange({ ...draft, networks })}
      hint="One on each line, such as 203.0.113.0/24 or 2001:db8::/32. Empty for all."
    />
  </>
)
