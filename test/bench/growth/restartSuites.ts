import { setTimeout } from "node:timers/promises"
import { suiteProcesses } from "../processes.ts"
import type { World } from "./World.ts"

const isReady = ({ gatewayUrl }: World): Promise<boolean> =>
  fetch(`${gatewayUrl}/health/ready`).then(
    // A suite without some of its services answers 200 as well.
    async (answer) => (await answer.text()).includes('"status":"ready"'),
    () => false
  )

/** Ends all processes of the suites, which restart them, and waits until they are ready. */
export const restartSuites = async (worlds: ReadonlyArray<World>): Promise<void> => {
  const former = suiteProcesses()
  const pids = new Set(former.map(({ pid }) => pid))
  for (const pid of pids) process.kill(Number(pid), "SIGTERM")
  for (;;) {
    const now = suiteProcesses()
    const areNew = now.length === former.length && now.every(({ pid }) => !pids.has(pid))
    if (areNew && (await Promise.all(worlds.map(isReady))).every((ready) => ready)) return
    await setTimeout(100)
  }
}
