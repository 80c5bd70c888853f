import { texts as shared } from "../texts.ts";

/** Texts of the page Library, and the shared texts. */
export const texts = {
  ...shared,
  library: {
    after: (duration: string) => `, after ${duration}`,
    again: "Again",
    all: "All",
    allCollections: "All collections",
    cancel: "Cancel this job",
    cancelAll: "Cancel all",
    cancelAllHint:
      "Jobs that are queued or in progress are cancelled, also those of other keys and those that the filters hide. Nothing is charged for them. Jobs whose only image is being made already are finished and charged.",
    cancelAllTitle: "Cancel all running jobs?",
    cancelHint: (images: number) =>
      images === 1
        ? "Nothing is charged. Once its image is being made, the job cannot be cancelled any more."
        : "Nothing is charged. An image in progress is finished first, and then thrown away.",
    cancelledAll: (jobs: { cancelled: number; stopping: number; left: number }) =>
      [
        jobs.cancelled === 1 ? "1 job cancelled." : `${jobs.cancelled} jobs cancelled.`,
        jobs.stopping > 0 && `${jobs.stopping} after the image in progress.`,
        jobs.left > 0 && `${jobs.left} too late to cancel.`,
      ]
        .filter((part) => part !== false)
        .join(" "),
    cancelNamed: (title: string) => `Cancel ${title}`,
    cancelShort: "Cancel",
    cancelTitle: "Cancel this job?",
    clear: "Clear filters",
    collection: "Collection",
    collectionName: "Name",
    collectionOption: (name: string, jobs: number) => `${name} (${jobs})`,
    compare: "Compare",
    copyHash: (format: string) => `Copy the SHA-256 of the ${format}`,
    copyId: "Copy the id of the job",
    copyRequest: "Copy request",
    cost: "Cost",
    createAction: "Create",
    createCollection: "New collection",
    deleteCollection: "Delete collection",
    deleteCollectionHint: "Its jobs and their images stay in the library.",
    deleteCollectionTitle: (name: string) => `Delete the collection “${name}”?`,
    deleted: (count: number) => (count === 1 ? "Image deleted" : `${count} images deleted`),
    deleteHint: (count: number) =>
      count === 1
        ? "It cannot be restored. Request, cost and hash stay, so that a copy can still be recognised."
        : "They cannot be restored. Requests, costs and hashes stay, so that copies can still be recognised.",
    deletedJobs: (count: number) =>
      count === 1 ? "The images of 1 job deleted." : `The images of ${count} jobs deleted.`,
    deleteSelected: "Delete",
    deleteImages: (count: number) => (count === 1 ? "Delete image" : `Delete ${count} images`),
    deleteTitle: (count: number) =>
      count === 1 ? "Delete this image?" : `Delete ${count} images?`,
    download: "Download",
    dropFile: "Drop the file to find its job",
    empty: "No images yet",
    emptyHint:
      "Every image and story of this account appears here, with its request, its cost and its files.",
    events: "Events",
    expired: "The files of this image are not kept any more.",
    expiredHint:
      "Its record and its hash remain. A copy of the file can still be checked against them.",
    fewer: "Fewer filters",
    files: "Files",
    filterCount: (count: number) => (count === 0 ? "Filters" : `Filters: ${count}`),
    filters: "Filters",
    from: "From",
    findFile: "Find by file",
    hash: "SHA-256 of a file",
    hashInsecure:
      "Browsers compute hashes over HTTPS only. Paste the SHA-256 of the file under More filters.",
    hashPlaceholder: "64 digits, or drop the file",
    hashProblem: "A SHA-256 has 64 digits from 0 to 9 and a to f.",
    hashTooLarge: "This file has more than 200 MB: this service did not make it.",
    hashUnreadable: "The file could not be read. Choose it again.",
    imageOf: (index: number, count: number) => `Image ${index} of ${count}`,
    images: "Images",
    job: "Job",
    jobs: "Jobs",
    jobMissing: "This job does not exist.",
    jobMissingHint:
      "It was deleted, belongs to another account or to a key whose jobs you may not see, or its address is incomplete.",
    jobTitle: (operation: string, time: string) => `${operation}, ${time}`,
    jobUnread: "This job cannot be shown.",
    keepAllRunning: "Keep them running",
    keepRunning: "Keep it running",
    keptUntil: "Kept until",
    key: "Key",
    keptFor: (time: string) =>
      `Images are kept for ${time}. Keep or download those that you need longer.`,
    keptJobs: (count: number) =>
      count === 1
        ? "The images of 1 job are kept until you delete them."
        : `The images of ${count} jobs are kept until you delete them.`,
    keyName: (name: string, end: string) => `${name} (…${end})`,
    linksUntil: (time: string) => `The links to these files work until ${time}.`,
    makeFirst: "Make the first image",
    metadata: "Metadata",
    metadataPlaceholder: "order=A-1027",
    metadataProblem: "Write a name and a value, such as order=A-1027.",
    model: "Model",
    more: "More filters",
    newer: "Newer job",
    noFile: "No job of this account made this file",
    noFileHint:
      "A copy that was changed or saved again has another hash. Verify finds many of these by their marks.",
    noMatch: "No job matches these filters",
    noMatchHints: {
      words:
        "A job must have all words; the last one may be a beginning. Check the spelling or use fewer words.",
      metadata: "Metadata must match exactly.",
      other: "Change or clear a filter to see more jobs.",
    },
    notKept: "Not kept any more",
    noSimilar: "No similar images",
    noSimilarHint:
      "The newest 10,000 images of the account were compared, by their shapes and their light.",
    nothingStarred: "Nothing is starred yet",
    nothingStarredHint: "Choose the star of a job to find it here.",
    emptyCollection: "This collection is empty",
    emptyCollectionHint: "Select jobs in the library and add them, or use the menu of a picture.",
    nothingCharged: "Nothing was charged.",
    older: "Older job",
    operation: "Kind",
    changed: (kind: string, prompt: string) => `${kind}: ${prompt}`,
    operations: {
      image: "Image",
      story: "Story",
      scene: "Scene",
      edit: "Edit",
      combine: "Combination",
      graphic: "Graphic",
      diagram: "Diagram",
      upscale: "Upscaled image",
      "remove-background": "Cut-out",
      outpaint: "Extended image",
      erase: "Image with a part erased",
      vectorize: "Traced image",
      variations: "Variations",
    },
    pixels: "Pixels",
    progress: (done: number, count: number) => `${done} of ${count} images done`,
    provenance: "Provenance",
    render: (role: string, name: string | null, position: number) => {
      const roles: Readonly<Record<string, string>> = {
        portrait: "Portrait",
        state: "Portrait",
        location: "Location",
        scene: "Scene",
      };
      return `${roles[role] ?? "Image"} ${name ?? position}`;
    },
    rename: "Rename",
    renameCollection: "Rename collection",
    renameHint: "Shown and found in place of the prompt. Leave it empty to show the prompt again.",
    renameTitle: "Rename this job",
    request: "Request",
    requested: "Requested",
    running: (count: number, hasMore: boolean) => {
      if (hasMore) return `More than ${count} jobs running`;
      return count === 1 ? "1 job running" : `${count} jobs running`;
    },
    scene: (position: number, title: string) => `Scene ${position}: ${title}`,
    seed: "Seed",
    select: "Select",
    selectAll: "Select all",
    selectDone: "Done",
    selected: (count: number) => (count === 1 ? "1 selected" : `${count} selected`),
    selection: "Selected jobs",
    shape: "Shape and size",
    shelf: "Stars and collections",
    shown: (count: number, formatted: string, hasMore: boolean) => {
      const jobs = count === 1 ? "1 job" : `${formatted} jobs`;
      return hasMore ? `${jobs} shown, scroll for more` : jobs;
    },
    similar: "Similar images",
    similarEnd: "Similar images: remove this filter",
    similarUnknown: "The picture to compare with is not known",
    similarUnknownHint:
      "Its job may belong to another account or have been removed. Choose another picture.",
    star: (title: string) => `Star: ${title}`,
    starred: "Starred",
    starredJobs: (count: number) => (count === 1 ? "1 job starred." : `${count} jobs starred.`),
    starredNotKept: (count: number) =>
      `The quota for kept images has no room for ${count === 1 ? "1 of them" : `${count} of them`}.`,
    started: "Started",
    states: {
      pending: "Queued",
      processing: "In progress",
      completed: "Completed",
      failed: "Failed",
      cancelled: "Cancelled",
    },
    status: "Status",
    stopping: "Stops after the current image",
    title: "Title",
    to: "To",
    tooLarge: (format: string) =>
      `As ${format}, these images have more than 2 GB, the most for one ZIP. Select fewer, or choose another format.`,
    toAll: "To the library",
    toBoard: "Open the board",
    toVerify: "See the chain of evidence",
    unread: "The jobs cannot be shown.",
    waitFor: (wait: string) => `Starts in about ${wait}`,
    words: "Search",
    wordsPlaceholder: "Words of the prompt",
    workedThrough: (done: number, count: number) => `${done} of ${count} done`,
    zip: "Download ZIP",
    zipAs: (format: string) => `ZIP of ${format}`,
    zipping: "Downloading…",
  },
};
