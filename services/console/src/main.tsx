import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { queryClient } from "./client/queryClient.ts"
import { onSessionEnded } from "./client/sessionEnded.ts"
import { router } from "./router.tsx"
import { sessionQuery } from "./session/session.ts"
import { watchSession } from "./session/watchSession.ts"
import { Cover } from "./shell/Cover.tsx"
import { pauseWhenAway } from "./shell/pauseWhenAway.ts"
import { followTheme } from "./shell/theme.ts"

followTheme()
pauseWhenAway()
watchSession()

const element = document.getElementById("root")
if (element !== null) {
  const root = createRoot(element)
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Cover />
      </QueryClientProvider>
    </StrictMode>
  )

  // What was read of one person is not shown to the next: a new page begins, which remembers nothing.
  onSessionEnded((ending) => {
    // Without a session the router leads to the sign-in.
    if (queryClient.getQueryData(sessionQuery.queryKey) === undefined) return
    queryClient.clear()
    root.unmount()
    const { href, pathname } = router.state.location
    if (pathname.startsWith("/sign-in")) location.reload()
    else
      location.replace(
        router.buildLocation({ to: "/sign-in", search: ending === "EXPIRED" ? { next: href, ended: true } : {} })
          .publicHref
      )
  })
}

// A page that the browser kept when the person left it may be of somebody who signed out since.
addEventListener("pagehide", ({ persisted }) => {
  document.body.hidden = persisted
})
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload()
})
