import type { ReactNode } from "react"

/** The frame of a step of the sign-in. */
export const Step = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => (
  <main className="flex min-h-dvh flex-col items-center px-4 py-10 sm:pt-[12vh]">
    <title>{`${title} · Care console`}</title>
    <div className="flex w-full max-w-md flex-col gap-6">
      <p className="text-lg font-semibold text-accent">Care</p>
      <section
        aria-labelledby="step"
        className="flex flex-col gap-5 rounded-lg border border-line bg-surface p-6 shadow-sm"
      >
        <h1 id="step" className="text-xl font-semibold">
          {title}
        </h1>
        {children}
      </section>
    </div>
  </main>
)
