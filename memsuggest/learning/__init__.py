"""Learning from chats: the main job, batches, the assistant in the chat, and watching."""
