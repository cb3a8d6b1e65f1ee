import { useAnnouncement } from "../ui/announce.ts"

/** The place where a screen says what was done. It stays audible while a dialog is open. */
export const Announcements = () => {
  const announcement = useAnnouncement()
  return (
    <div
      role="status"
      data-live-announcer="true"
      className="pointer-events-none fixed inset-x-0 bottom-4 z-40 flex justify-center px-4"
    >
      {announcement === undefined ? null : (
        <p
          key={announcement.id}
          className="max-w-prose rounded-md border border-line bg-ink px-4 py-2 break-words text-canvas shadow-lg"
        >
          {announcement.text}
        </p>
      )}
    </div>
  )
}
