import { type ReactNode, useEffect, useRef } from "react"

interface PageProps {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The frame of a screen. A screen that appears gets the focus, so that screen readers read its title. */
export const Page = ({ actions, children, title }: PageProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-5 min-[3200px]:max-w-[96rem]">
      <title>{`${title} · Care console`}</title>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 ref={heading} dir="auto" tabIndex={-1} className="min-w-0 text-xl font-semibold outline-none">
          {title}
        </h1>
        {actions === undefined ? null : <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  )
}
