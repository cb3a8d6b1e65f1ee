import type { ReactNode } from "react"

interface FactsProps {
  readonly facts: ReadonlyArray<{ readonly title: string; readonly value: ReactNode }>
}

/** What is known of a thing: titles and values. */
export const Facts = ({ facts }: FactsProps) => (
  <dl className="grid grid-cols-1 gap-x-8 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
    {facts.map(({ title, value }) => (
      <div key={title} className="min-w-0">
        <dt className="text-sm text-muted">{title}</dt>
        <dd className="break-words">{value}</dd>
      </div>
    ))}
  </dl>
)
