"""The closed loop: do the rules in the files hold, by later chats?"""
