import { Outlet, useMatches } from "@tanstack/react-router"
import { lazy, Suspense, useEffect, useMemo, useState } from "react"
import { may } from "../client/may.ts"
import { StepUp } from "../session/StepUp.tsx"
import { useSession } from "../session/useSession.ts"
import { followKeys, type ScreenKey, useKeys } from "../ui/keys.ts"
import { Announcements } from "./Announcements.tsx"
import { KeysWindow } from "./KeysWindow.tsx"
import { NotForRole } from "./NotForRole.tsx"
import { Sidebar } from "./Sidebar.tsx"
import { sectionOf } from "./sections.ts"
import { TestModeBanner } from "./TestMode.tsx"

const SearchWindow = lazy(() => import("./SearchWindow.tsx"))

type Before = "search" | "keys" | undefined

/** The frame around all screens: navigation, search, keys, and what screens say. */
export const Shell = () => {
  const { user } = useSession()

  const section = sectionOf(useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? "/" }))
  const [before, setBefore] = useState<Before>()
  const maySearch = may(user.role, "caseSearch", "find")
  const keys = useMemo<ReadonlyArray<ScreenKey>>(
    () => [
      ...(maySearch ? [{ keys: ["/", "Ctrl+K"], does: "Search", run: () => setBefore("search") } as const] : []),
      { keys: ["?"], does: "Show the keys of this screen", run: () => setBefore("keys") }
    ],
    [maySearch]
  )
  useKeys(keys)
  useEffect(followKeys, [])
  const close = () => setBefore(undefined)
  return (
    <div className="flex min-h-dvh flex-col lg:flex-row">
      <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:z-40 focus:bg-surface focus:p-2">
        Skip to the content
      </a>
      <Sidebar onSearch={maySearch ? () => setBefore("search") : undefined} onKeys={() => setBefore("keys")} />
      <div className="flex min-w-0 flex-1 flex-col">
        <TestModeBanner />
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 p-4 outline-none sm:p-6">
          {section === undefined || section.isFor(user.role) ? (
            <Outlet />
          ) : (
            <NotForRole key={section.to} section={section.title} role={user.role} />
          )}
        </main>
      </div>
      <StepUp />
      <KeysWindow isOpen={before === "keys"} onClose={close} />
      <Suspense>{before === "search" ? <SearchWindow onClose={close} /> : null}</Suspense>
      <Announcements />
    </div>
  )
}
