import { Meter } from "react-aria-components"

interface ShareProps {
  /** What it is a share of. */
  readonly label: string
  readonly used: number
  readonly allowed: number
  /** `used` of `allowed`, in words. */
  readonly text: string
}

// From here on a person should do something.
const nearlyFull = 0.8

/** How much is used of what is allowed, as a bar and in words. */
export const Share = ({ allowed, label, text, used }: ShareProps) => (
  <Meter
    aria-label={label}
    value={used}
    maxValue={Math.max(allowed, 1)}
    valueLabel={text}
    className="flex flex-col gap-1"
  >
    {({ percentage }) => (
      <>
        <span className="text-sm">{text}</span>
        <span className="h-2 w-full overflow-hidden rounded-full bg-raised">
          <span
            className={`block h-full rounded-full ${percentage >= nearlyFull * 100 ? "bg-bad" : "bg-accent"}`}
            style={{ width: `${percentage}%` }}
          />
        </span>
      </>
    )}
  </Meter>
)
