import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { queryClient } from "./client/queryClient.ts"
import { onSessionEnded } from "./client/sessionEnded.ts"
import { router } from "./router.tsx"
import { followTheme } from "./shell/theme.ts"

followTheme()

// What was read of one person is not shown to the next.
onSessionEnded(() => {
  queryClient.clear()
  const { href, pathname } = router.state.location
  if (!pathname.startsWith("/sign-in")) void router.navigate({ to: "/sign-in", search: { next: href } })
})

const root = document.getElementById("root")
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>
  )
}
