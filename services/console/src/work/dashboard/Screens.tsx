import { Link } from "@tanstack/react-router"
import { useSession } from "../../session/useSession.ts"
import { sectionsOf } from "../../shell/sections.ts"

/** The links to the screens of a person who may not read the counts. */
export const Screens = () => {
  const { role } = useSession().user
  return (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {sectionsOf(role)
        .filter(({ to }) => to !== "/")
        .map(({ title, to }) => (
          <li key={to}>
            <Link
              to={to}
              className="block rounded-lg border border-line bg-surface p-4 font-medium text-accent hover:bg-raised"
            >
              {title}
            </Link>
          </li>
        ))}
    </ul>
  )
}
