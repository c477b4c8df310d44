class Timetable; end
