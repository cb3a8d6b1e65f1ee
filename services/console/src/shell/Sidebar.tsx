import { Link } from "@tanstack/react-router"
import { useMemo, useRef, useState } from "react"
import { useSession } from "../session/useSession.ts"
import { Button } from "../ui/Button.tsx"
import { classes } from "../ui/classes.ts"
import { type ScreenKey, useKeys } from "../ui/keys.ts"
import { AccountMenu } from "./AccountMenu.tsx"
import { OrganizationChooser } from "./OrganizationChooser.tsx"
import { sectionsOf } from "./sections.ts"
import { TestModeSwitch } from "./TestMode.tsx"

interface SidebarProps {
  readonly onSearch: (() => void) | undefined
  readonly onKeys: () => void
}

/** The navigation at the left, or behind a button where the window is narrow. */
export const Sidebar = ({ onKeys, onSearch }: SidebarProps) => {
  const { user } = useSession()
  const [isOpen, setOpen] = useState(false)
  const menu = useRef<HTMLButtonElement>(null)
  const keys = useMemo<ReadonlyArray<ScreenKey>>(() => {
    const close = () => {
      setOpen(false)
      menu.current?.focus()
    }
    return isOpen ? [{ keys: ["Escape"], does: "Close the menu", run: close }] : []
  }, [isOpen])
  useKeys(keys)
  return (
    <header className="flex flex-col gap-3 border-b border-line bg-surface p-3 lg:sticky lg:top-0 lg:h-dvh lg:w-56 lg:shrink-0 lg:overflow-y-auto lg:border-r lg:border-b-0">
      <div className="flex items-center justify-between gap-2">
        <span className="px-2 text-lg font-semibold">Care</span>
        <div className="flex gap-2">
          {onSearch === undefined ? null : (
            <Button aria-keyshortcuts="/ Control+K" isSmall onPress={onSearch}>
              Search{" "}
              <span aria-hidden="true" className="hidden rounded border border-line px-1 text-xs text-muted lg:inline">
                /
              </span>
            </Button>
          )}
          <span className="lg:hidden">
            <Button
              ref={menu}
              isSmall
              aria-expanded={isOpen}
              aria-controls="navigation"
              onPress={() => setOpen(!isOpen)}
            >
              Menu
            </Button>
          </span>
        </div>
      </div>
      <TestModeSwitch />
      <div id="navigation" className={classes("flex-1 flex-col gap-3 lg:flex", isOpen ? "flex" : "hidden")}>
        {user.role === "OPERATOR" ? <OrganizationChooser /> : null}
        <nav aria-label="Main" className="flex flex-1 flex-col gap-0.5">
          {sectionsOf(user.role).map(({ title, to }) => (
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
        <AccountMenu onKeys={onKeys} />
      </div>
    </header>
  )
}
