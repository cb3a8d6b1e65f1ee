import { Link } from "@tanstack/react-router"
import { Empty } from "../ui/Empty.tsx"

/** The page for a path that the console does not have. */
export const NotFound = () => (
  <main className="mx-auto max-w-2xl p-6">
    <Empty title="There is no such page">
      <Link to="/" className="text-accent underline">
        Go to the start
      </Link>
    </Empty>
  </main>
)
