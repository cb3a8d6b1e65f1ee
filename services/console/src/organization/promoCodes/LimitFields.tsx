import { Field } from "../../ui/Field.tsx"
import { TimeField } from "../../ui/TimeField.tsx"

/** What is typed about the end of a promo code. */
export interface Limits {
  readonly expiresAt: Date | undefined
  readonly maxRedemptions: string
}

/** Returns the limits as an operation takes them; null is no limit. */
export const limitsIn = ({ expiresAt, maxRedemptions }: Limits) => ({
  expiresAt: expiresAt?.toISOString() ?? null,
  maxRedemptions: maxRedemptions.trim() === "" ? null : Number(maxRedemptions)
})

interface LimitFieldsProps {
  readonly limits: Limits
  readonly onChange: (limits: Limits) => void
}

export const LimitFields = ({ limits, onChange }: LimitFieldsProps) => (
  <>
    <TimeField
      label="Expires"
      name="expiresAt"
      hint="Empty for never."
      value={limits.expiresAt}
      onChange={(expiresAt) => onChange({ ...limits, expiresAt })}
    />
    <Field
      label="At most this many uses"
      name="maxRedemptions"
      inputMode="numeric"
      hint="Empty for any number."
      value={limits.maxRedemptions}
      onChange={(maxRedemptions) => onChange({ ...limits, maxRedemptions })}
    />
  </>
)
