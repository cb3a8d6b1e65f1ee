import { Link, Outlet } from "@tanstack/react-router"
import { useEffect, useMemo, useState } from "react"
import { StepUp } from "../session/StepUp.tsx"
import { useSession } from "../session/useSession.ts"
import { Button } from "../ui/Button.tsx"
import { classes } from "../ui/classes.ts"
import { followKeys, type ScreenKey, useKeys } from "../ui/keys.ts"
import { AccountMenu } from "./AccountMenu.tsx"
import { Announcements } from "./Announcements.tsx"
import { KeysWindow } from "./KeysWindow.tsx"
import { sections } from "./sections.ts"

/** The frame around all screens: navigation at the left, or behind a button where the window is narrow. */
export const Shell = () => {
  const { user } = useSession()
  const [isOpen, setOpen] = useState(false)
  const [areKeysShown, showKeys] = useState(false)
  const keys = useMemo<ReadonlyArray<ScreenKey>>(
    () => [{ key: "?", does: "Show the keys of this screen", run: () => showKeys(true) }],
    []
  )
  useKeys(keys)
  useEffect(followKeys, [])
  return (
    <div className="flex min-h-dvh flex-col lg:flex-row">
      <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:z-40 focus:bg-surface focus:p-2">
        Skip to the content
      </a>
      <header className="flex flex-col gap-2 border-b border-line bg-surface p-3 lg:sticky lg:top-0 lg:h-dvh lg:w-56 lg:shrink-0 lg:overflow-y-auto lg:border-r lg:border-b-0">
        <div className="flex items-center justify-between gap-2 lg:mb-3">
          <span className="px-2 text-lg font-semibold">Care</span>
          <span className="lg:hidden">
            <Button aria-expanded={isOpen} aria-controls="navigation" onPress={() => setOpen(!isOpen)}>
              Menu
            </Button>
          </span>
        </div>
        <nav
          id="navigation"
          aria-label="Main"
          className={classes("flex-1 flex-col gap-0.5 lg:flex", isOpen ? "flex" : "hidden")}
        >
          {sections
            .filter(({ isFor }) => isFor(user.role))
            .map(({ title, to }) => (
              <Link
                key={to}
                to={to}
                activeOptions={{ exact: to === "/" }}
                onClick={() => setOpen(false)}
                className="rounded-md px-2 py-1.5 hover:bg-raised aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium"
              >
                {title}
              </Link>
            ))}
        </nav>
        <div className={classes("lg:block", isOpen ? "block" : "hidden")}>
          <AccountMenu onKeys={() => showKeys(true)} />
        </div>
      </header>
      <main id="main" className="min-w-0 flex-1 p-4 sm:p-6">
        <Outlet />
      </main>
      <StepUp />
      <KeysWindow isOpen={areKeysShown} onClose={() => showKeys(false)} />
      <Announcements />
    </div>
  )
}
